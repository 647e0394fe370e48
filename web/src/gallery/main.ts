// The table at chosen moments of real games, without a server; for looking at it, not in the build.
// ?game=industry-4|industria-3 &state=offer|bid|settle|develop|waiting|over &theme= &language=
import { mount } from 'svelte'
import { speak } from '../lib/i18n.svelte'
import { prefs, type Theme } from '../lib/prefs.svelte'
import type { Language } from '../lib/protocol'
import '../styles/index.css'
import Gallery from './Gallery.svelte'
import { tableAt } from './moment'

const query = new URLSearchParams(location.search)
prefs.theme = (query.get('theme') as Theme | null) ?? 'light'
prefs.language = (query.get('language') as Language | null) ?? 'en'
await speak(prefs.language)
const table = await tableAt(query.get('game') ?? 'industry-4', query.get('state') ?? 'bid')
mount(Gallery, { target: document.getElementById('app')!, props: { table } })
