// All drawings, once in the page, so that they take its inks: pictures and resources of the
// package, and the client's own glyphs.
import drawings from '../../../src/industry/boards/picture/symbols.svg?raw'
import glyphs from './glyphs.svg?raw'

const PATTERNS = `
<pattern id="seat-pattern-A" width="8" height="8" patternUnits="userSpaceOnUse"><rect width="8" height="8" class="seat-A seat-fill"/></pattern>
<pattern id="seat-pattern-B" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="7" height="7" class="seat-B seat-fill"/><rect width="2.6" height="7" class="seat-B seat-second-fill"/></pattern>
<pattern id="seat-pattern-C" width="6" height="6" patternUnits="userSpaceOnUse"><rect width="6" height="6" class="seat-C seat-fill"/><circle cx="3" cy="3" r="1.35" class="seat-C seat-second-fill"/></pattern>
<pattern id="seat-pattern-D" width="5" height="5" patternUnits="userSpaceOnUse"><rect width="5" height="5" class="seat-D seat-fill"/><path d="M0 2.5h5M2.5 0v5" class="seat-D seat-second-line"/></pattern>`

function definitions(text: string): string {
  return /<defs>([\s\S]*)<\/defs>/.exec(text)?.[1] ?? ''
}

/** The page's security policy allows no style attributes; the one in use is a class here. */
function withoutStyles(text: string): string {
  return text.replace(/class="([\w-]+)"([^>]*?) style="stroke-linecap:butt"/g, 'class="$1 butt-ends"$2')
}

export const SPRITE = `<svg width="0" height="0" aria-hidden="true" class="sprite"><defs>${withoutStyles(definitions(drawings))}${definitions(glyphs)}${PATTERNS}</defs></svg>`
