// The table at chosen moments of real games, without a server; for looking at it, not in the build.
// ?game=industry-4|industria-3 &state=offer|bid|settle|develop|waiting|over &theme= &language= &seconds= &last=yes &bots=yes &large=yes
// `await gallery.show({ state, … })` shows another moment on the same page.
import { mount } from 'svelte'
import { fontsLoaded } from '../lib/fonts'
import { speak } from '../lib/i18n.svelte'
import { prefs, type Theme } from '../lib/prefs.svelte'
import type { Language } from '../lib/protocol'
import '../styles'
import type { Table } from '../lib/table.svelte'
import Gallery from './Gallery.svelte'
import { tableAt } from './fixtureTable'

interface Wish {
  game?: string
  state?: string
  theme?: Theme
  language?: Language
  seconds?: number
  last?: string
  bots?: string
  large?: string
}

async function prepared(wish: Wish): Promise<Table> {
  const {
    game = 'industry-4',
    state = 'bid',
    theme = 'light',
    language = 'en',
    seconds = 0,
    last = '',
    bots = '',
    large = '',
  } = wish
  prefs.theme = theme
  prefs.language = language
  prefs.large = large !== ''
  const [table] = await Promise.all([
    tableAt(game, state, { seconds: Number(seconds), isLast: last !== '', withBots: bots !== '' }),
    speak(language),
  ])
  return table
}

await fontsLoaded()
const first = await prepared(Object.fromEntries(new URLSearchParams(location.search)) as Wish)
const page = mount(Gallery, { target: document.getElementById('app')!, props: { first } })
Object.assign(window, { gallery: { show: async (wish: Wish) => page.show(await prepared(wish)) } })
