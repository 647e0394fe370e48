// Window sizes are declared once: in breakpoints.ts.
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { MEDIA, withMediaWords } from './breakpoints'

const source = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.(svelte|css)$/.test(path))
  .map((path) => ({ path, text: readFileSync(`src/${path}`, 'utf8') }))
const queries = source.flatMap(({ path, text }) =>
  [...text.matchAll(/@media([^{]*)/g)].map(([, query]) => ({ path, query: query!.trim() })),
)

describe('window sizes', () => {
  it('are named in every style sheet, and spelled out in none', () => {
    expect(queries.length).toBeGreaterThan(50)
    expect(queries.filter(({ query }) => /width|height|aspect|orientation/.test(query))).toEqual([])
  })

  it('are all declared, and each is used', () => {
    const used = queries.flatMap(({ query }) => [...query.matchAll(/--([\w-]+)/g)].map(([, name]) => name!))
    expect([...new Set(used)].sort()).toEqual(Object.keys(MEDIA).sort())
  })

  it('stand in the built style sheet in words', () => {
    expect(withMediaWords('@media (--phone), (--tall) { a { color: red } }')).toBe(
      `@media ${MEDIA.phone}, ${MEDIA.tall} { a { color: red } }`,
    )
  })

  it('that nobody declared stop the build', () => {
    expect(() => withMediaWords('@media (--watch) { a { color: red } }')).toThrow('--watch')
  })
})
