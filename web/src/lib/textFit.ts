// Names on cards: broken into lines and sized by the width that this browser's own font gives them.
const SIZES = [11.4, 11] as const
const LEAST = 11
/** Below this share of its natural width a line would look crushed. */
const NARROWEST = 0.78
/** Sounds with which a syllable may begin; a word that is too long is parted before one. */
const ONSETS = [
  'sch',
  'str',
  'spr',
  'sp',
  'st',
  'tr',
  'dr',
  'kr',
  'gr',
  'br',
  'pr',
  'fr',
  'fl',
  'pl',
  'kl',
  'gl',
  'bl',
  'ch',
  'ph',
  'th',
  'qu',
]
const VOWEL = /[aeiouyäöüéèêâàîïôûœ]/i

/** Widths are measured at this size and scaled. */
const MEASURED = 100
const widths = new Map<string, number>()
let canvas: CanvasRenderingContext2D | null | undefined

function measured(text: string): number {
  if (canvas === undefined) {
    canvas = document.createElement('canvas').getContext?.('2d') ?? null
    const family =
      getComputedStyle(document.documentElement).getPropertyValue('--font-condensed').trim() || 'sans-serif'
    if (canvas) Object.assign(canvas, { font: `700 ${MEASURED}px ${family}`, textRendering: 'geometricPrecision' })
  }
  return canvas ? canvas.measureText(text).width : text.length * MEASURED * 0.46
}

/** The width of a text in the condensed face. */
export function textWidth(text: string, size: number): number {
  const known = widths.get(text)
  const width = known ?? measured(text)
  if (known === undefined) widths.set(text, width)
  return (width * size) / MEASURED
}

export interface Fitted {
  size: number
  lines: string[]
}

const known = new Map<string, Fitted>()

/** The largest size at which the text fits in that many lines; nothing is cut off. */
export function fitted(text: string, width: number, most = 2): Fitted {
  const key = `${width}/${most}/${text}`
  const before = known.get(key)
  if (before) return before
  const fits = (size: number, most: number, share = 1): Fitted | undefined => {
    const lines = broken(text, width / share, size)
    return lines.length <= most && lines.every((line) => textWidth(line, size) * share <= width)
      ? { size, lines }
      : undefined
  }
  // as large as possible; then a little narrower; then in one line more
  const found =
    SIZES.map((size) => fits(size, most)).find((fit) => fit) ??
    fits(LEAST, most, NARROWEST) ??
    (most > 1 ? (fits(LEAST, most + 1) ?? fits(LEAST, most + 1, NARROWEST)) : undefined)
  const fit = found ?? crowded(text, width, most)
  known.set(key, fit)
  return fit
}

/** Lines that are a little too long are set narrower rather than smaller. */
function crowded(text: string, width: number, most: number): Fitted {
  for (let size = LEAST; size > 6; size -= 0.5) {
    const lines = broken(text, width / NARROWEST, size)
    if (lines.length <= most && lines.every((line) => textWidth(line, size) * NARROWEST <= width))
      return { size, lines }
  }
  return { size: 6, lines: broken(text, width, 6) }
}

/** Attributes of an SVG text that must not be wider than that. */
export function squeezed(
  text: string,
  width: number,
  size = 11,
): { textLength?: number; lengthAdjust?: 'spacingAndGlyphs' } {
  return textWidth(text, size) > width ? { textLength: width, lengthAdjust: 'spacingAndGlyphs' } : {}
}

function broken(text: string, width: number, size: number): string[] {
  const fits = (line: string): boolean => textWidth(line, size) <= width
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const longer = lines.length ? `${lines.at(-1)} ${word}` : word
    if (lines.length && fits(longer)) lines[lines.length - 1] = longer
    else if (fits(word)) lines.push(word)
    else lines.push(...parted(word, fits))
  }
  return balanced(lines, fits)
}

/** Two lines of about the same length read better than a long and a short one. */
function balanced(lines: string[], fits: (line: string) => boolean): string[] {
  if (lines.length !== 2 || lines[0]!.endsWith('-')) return lines
  const words = lines.join(' ').split(' ')
  const splits = words
    .slice(1)
    .map((_, index) => [words.slice(0, index + 1).join(' '), words.slice(index + 1).join(' ')])
  const longest = (pair: string[]): number => Math.max(...pair.map((line) => line.length))
  const best = splits.filter((pair) => pair.every(fits)).sort((one, other) => longest(one) - longest(other))[0]
  return best ?? lines
}

function parted(word: string, fits: (line: string) => boolean): string[] {
  const split = (place: number): string[] => [
    word.slice(0, place) + (word[place - 1] === '-' ? '' : '-'),
    word.slice(place),
  ]
  const hyphen = word.indexOf('-') + 1
  if (hyphen && split(hyphen).every(fits)) return split(hyphen)
  const middle = word.length / 2
  const places = breaks(word).filter((place) => split(place).every(fits))
  const best = places.sort((one, other) => Math.abs(one - middle) - Math.abs(other - middle))[0]
  return best === undefined ? [word] : split(best)
}

/** The text with places at which a browser may part its long words, whatever language it knows. */
export function softened(text: string): string {
  const soft = (word: string): string => {
    const places = word.length > 11 ? breaks(word) : []
    return [...word].map((letter, index) => (places.includes(index) ? `\u00AD${letter}` : letter)).join('')
  }
  return text.split(' ').map(soft).join(' ')
}

/** Places between syllables, as far as the letters show them. */
export function breaks(word: string): number[] {
  const found: number[] = []
  for (let place = 2; place < word.length - 2; place++) {
    if (!VOWEL.test(word[place]!) || VOWEL.test(word[place - 1]!)) continue
    let start = place
    while (start > 0 && !VOWEL.test(word[start - 1]!)) start -= 1
    if (start === 0) continue
    const cluster = word.slice(start, place).toLowerCase()
    const onset = ONSETS.find((sound) => cluster.endsWith(sound))
    const where = place - (onset?.length ?? 1)
    if (where >= 2 && word.length - where >= 3) found.push(where)
  }
  return found
}
