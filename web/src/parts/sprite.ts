// All drawings, once in the page, so that they take its inks: pictures and resources of the
// package, and the client's own glyphs.
import drawings from '../../../src/industry/boards/picture/symbols.svg?raw'
import glyphs from './glyphs.svg?raw'

const PATTERNS = `
<pattern id="pt-A" width="8" height="8" patternUnits="userSpaceOnUse"><rect width="8" height="8" class="pA1"/></pattern>
<pattern id="pt-B" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="7" height="7" class="pB1"/><rect width="2.6" height="7" class="pB2"/></pattern>
<pattern id="pt-C" width="6" height="6" patternUnits="userSpaceOnUse"><rect width="6" height="6" class="pC1"/><circle cx="3" cy="3" r="1.35" class="pC2"/></pattern>
<pattern id="pt-D" width="5" height="5" patternUnits="userSpaceOnUse"><rect width="5" height="5" class="pD1"/><path d="M0 2.5h5M2.5 0v5" class="pD2"/></pattern>`

function definitions(text: string): string {
  return /<defs>([\s\S]*)<\/defs>/.exec(text)?.[1] ?? ''
}

/** The page's security policy allows no style attributes; the one in use is a class here. */
function withoutStyles(text: string): string {
  return text.replace(/class="(\w+)"([^>]*?) style="stroke-linecap:butt"/g, 'class="$1 butt"$2')
}

export const SPRITE = `<svg width="0" height="0" aria-hidden="true" class="sprite"><defs>${withoutStyles(definitions(drawings))}${definitions(glyphs)}${PATTERNS}</defs></svg>`
