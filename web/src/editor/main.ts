// The board editor: a page of its own, so that the game does not grow by it.
import { mount } from 'svelte'
import { learn, speak } from '../lib/i18n.svelte'
import { prefs } from '../lib/prefs.svelte'
import '../styles/index.css'
import Editor from './Editor.svelte'
import './marks.css'
import { CATALOGUES, ENGLISH } from './words'

learn(ENGLISH, CATALOGUES)
await speak(prefs.language)
mount(Editor, { target: document.getElementById('app')! })
