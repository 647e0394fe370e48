import { mount } from 'svelte'
import App from './App.svelte'
import { fontsLoaded } from './lib/fonts'
import { speak } from './lib/i18n.svelte'
import { prefs } from './lib/prefs.svelte'
import { followLinks } from './lib/router.svelte'
import './styles'

followLinks()
// the first thing seen is already in the right language and the right fonts
await Promise.all([speak(prefs.language), fontsLoaded()])
mount(App, { target: document.getElementById('app')! })
// later than everything that is needed to play
if (import.meta.env.PROD && 'serviceWorker' in navigator)
  setTimeout(() => void import('./notices/install').then(({ install }) => install()).catch(() => undefined), 10_000)
