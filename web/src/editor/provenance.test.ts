import { expect, test } from 'vitest'
import { marked, markOf, reports, unstated, withSource, type Stated } from './provenance'

const REVIEW = { id: 'review', kind: 'report' as const, title: 'A review', address: '' }
const STATED: Stated = {
  sources: [REVIEW],
  provenance: [{ source: 'review', values: ['name', 'cost'], confidence: 'medium', note: '' }],
}

test('a value is printed, stated by a source, or designed', () => {
  expect(markOf(STATED, 'cost')).toBe('attested')
  expect(markOf(STATED, 'points')).toBe('ours')
  expect(markOf(marked(STATED, 'points', 'printed', 'German edition'), 'points')).toBe('printed')
})

test('a confirmed value keeps the other sources that state it', () => {
  const found = marked(STATED, 'cost', 'printed', '')
  expect(found.sources.map((source) => [source.id, source.kind, source.title])).toEqual([
    ['review', 'report', 'A review'],
    ['printed-board', 'print', 'printed board'],
  ])
  expect(found.provenance.map((statement) => statement.values)).toEqual([['name', 'cost'], ['cost']])
  expect(markOf(marked(found, 'cost', 'attested', ''), 'cost')).toBe('attested')
  expect(markOf(marked(found, 'cost', 'ours', ''), 'cost')).toBe('ours')
})

test('a changed value is no longer stated, and an empty statement goes', () => {
  expect(unstated(STATED, 'cost').provenance[0]?.values).toEqual(['name'])
  expect(unstated(unstated(STATED, 'cost'), 'name').provenance).toEqual([])
})

test('a value by a source that is not chosen yet waits for its name', () => {
  const found = marked({ sources: [], provenance: [] }, 'cost', 'attested', '')
  expect(reports(found)).toEqual([
    { statement: { source: '', values: ['cost'], confidence: 'high', note: '' }, index: 0 },
  ])
})

test('sources with the same beginning have ids of their own', () => {
  const first = withSource({ sources: [], provenance: [] }, 'report', 'Österreich 2003!')
  expect(first.source).toBe('sterreich-2003')
  expect(withSource(first, 'print', 'Österreich 2003!').source).toBe('sterreich-2003-2')
  expect(withSource(first, 'report', 'Österreich 2003!').sources).toHaveLength(1)
})
