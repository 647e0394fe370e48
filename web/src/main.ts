import { mount } from 'svelte'
import App from './App.svelte'
import { speak } from './lib/i18n.svelte'
import { prefs } from './lib/prefs.svelte'
import { followLinks } from './lib/router.svelte'
import './styles/index.css'

followLinks()
// the first thing seen is already in the right language
await speak(prefs.language)
mount(App, { target: document.getElementById('app')! })
