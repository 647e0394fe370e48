// Moves are lines of the game record: `2 bid 3`, `1 develop 2H stone=own glass=3`.
export interface Move {
  seat: number
  verb: 'offer' | 'bid' | 'pass' | 'sell' | 'claim' | 'develop' | 'done' | 'subsidy' | 'cash' | 'draw'
  /** The field that is offered, developed or turned into Talers. */
  field: string
  talers: number
  /** Of a development: each need with its source. */
  sources: { resource: string; source: string }[]
}

export function readLine(line: string): Move {
  const words = line.split(' ')
  if (words[0] === 'draw') return { seat: 0, verb: 'draw', field: '', talers: 0, sources: [] }
  const [seat = '', verb = '', third = '', ...rest] = words
  return {
    seat: Number(seat),
    verb: verb as Move['verb'],
    field: verb === 'offer' || verb === 'develop' || verb === 'cash' ? third : '',
    talers: verb === 'bid' ? Number(third) : 0,
    sources: rest.map((word) => {
      const [resource = '', source = ''] = word.split('=')
      return { resource, source }
    }),
  }
}

/** The line of a development with one source for each need. */
export function developLine(
  seat: number,
  field: string,
  sources: readonly { resource: string; source: string }[],
): string {
  return [`${seat} develop ${field}`, ...sources.map(({ resource, source }) => `${resource}=${source}`)].join(' ')
}
