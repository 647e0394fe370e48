// The board editor: a page of its own, so that the game does not grow by it.
import { mount } from 'svelte'
import { fontsLoaded } from '../lib/fonts'
import { learn, speak } from '../lib/i18n.svelte'
import { prefs } from '../lib/prefs.svelte'
import '../styles'
import Editor from './Editor.svelte'
import './provenance.css'
import { CATALOGUES, ENGLISH } from './texts'

learn(ENGLISH, CATALOGUES)
await Promise.all([speak(prefs.language), fontsLoaded()])
mount(Editor, { target: document.getElementById('app')! })
