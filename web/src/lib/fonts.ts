// The page is shown once its fonts are there: nothing is measured or laid out with others before.
const NEEDED = ['700 16px "Industry Condensed"', '500 16px "Industry Text"', '700 16px "Industry Slab"']
/** Like this the page also loads the font of the signs. */
const SIGNS = '16px "Industry Signs"'
/** Beyond this time another font is better than waiting. */
const PATIENCE = 3000

export async function fontsLoaded(): Promise<void> {
  const asked = [...NEEDED.map((font) => document.fonts.load(font)), document.fonts.load(SIGNS, '→')]
  await Promise.race([Promise.allSettled(asked), new Promise((resolve) => setTimeout(resolve, PATIENCE))])
}
