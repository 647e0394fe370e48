/** At which window sizes the arrangement changes: declared here once. A style sheet writes
 * `@media (--phone)`; the build puts the words in (`namedMedia` in vite.config.ts). */
export const MEDIA = {
  // the four arrangements of the table; the fourth is all else
  /** A phone held upright: the stage is a sheet over the board. */
  phone: '(max-width: 640px) and (orientation: portrait)',
  /** A laptop or a phone held sideways: little height. */
  low: '(max-height: 699px) and (orientation: landscape)',
  /** A tablet held upright: the stage is below the board. */
  tall: '(min-width: 641px) and (max-aspect-ratio: 4/5)',

  // finer steps within them
  /** A small phone held upright: the log waits until the sheet is pulled up. */
  'short-phone': '(max-width: 640px) and (orientation: portrait) and (max-height: 699px)',
  'very-low': '(max-height: 480px) and (orientation: landscape)',
  'low-stage': '(max-height: 560px) and (orientation: landscape)',
  'not-low': '(min-height: 700px)',
  upright: '(max-aspect-ratio: 4/5)',
  sideways: '(max-width: 760px) and (orientation: landscape)',

  // by width alone
  narrow: '(max-width: 640px)',
  'not-narrow': '(min-width: 641px)',
  'short-turn': '(max-width: 700px)',
  'short-navigation': '(max-width: 760px)',
  'one-column': '(max-width: 820px)',
  'stacked-start': '(max-width: 900px)',
  'short-header': '(max-width: 1000px)',
  'narrow-replay': '(max-width: 1100px) and (orientation: portrait)',
  'two-columns': '(max-width: 1180px)',
  'short-players': '(max-width: 1240px)',
  'medium-header': '(max-width: 1400px)',
  large: '(min-width: 2200px)',
  huge: '(min-width: 3000px)',
} as const

/** Puts the declared words in where a style sheet names them; an unknown name is an error. */
export function withMediaWords(css: string): string {
  return css.replace(/@media[^{]*/g, (query) =>
    query.replace(/\(--([\w-]+)\)/g, (_, name: string) => {
      const words = (MEDIA as Record<string, string>)[name]
      if (!words) throw new Error(`No window size is called --${name}: see src/lib/breakpoints.ts.`)
      return words
    }),
  )
}
