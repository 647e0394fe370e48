import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { learn, speak } from '../lib/i18n.svelte'
import { prefs } from '../lib/prefs.svelte'
import type { Finding, Language } from '../lib/protocol'
import { CATALOGUES, ENGLISH, sentenceOf } from './texts'

const MISSING: Finding = {
  place: 'era 3',
  field: null,
  era: 3,
  value: null,
  code: 'producer_missing',
  values: { resource: 'steel', era: 3 },
}
const KINDS: Finding = {
  place: '1A',
  field: '1A',
  era: null,
  value: 'cost',
  code: 'only_kind',
  values: { key: 'cost', kinds: ['bonus', 'factory'], kind: 'joker' },
}

async function speaking(language: Language): Promise<void> {
  prefs.language = language
  await speak(language)
}

describe('what is wrong with a board', () => {
  beforeAll(() => learn(ENGLISH, CATALOGUES))
  afterAll(() => speaking('en'))

  it('has its place in front of it only where that is asked for', async () => {
    await speaking('en')
    expect(sentenceOf(MISSING, true)).toMatch(/^era 3: no factory of this era makes steel/)
    expect(sentenceOf(MISSING, false)).toMatch(/^No factory of this era makes steel/)
  })

  it('is said in the words of each language, lists and punctuation included', async () => {
    await speaking('de')
    expect(sentenceOf(KINDS, true)).toContain('Bonusfeld, Fabrik')
    await speaking('fr')
    expect(sentenceOf(KINDS, true)).toMatch(/^1A\u00a0: «/)
    expect(sentenceOf(KINDS, false)).toMatch(/^«/)
  })
})
