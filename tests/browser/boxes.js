// Texts of the page that cannot be read as a whole: cut off by a box around them, running over another
// text, or lying under something. Measured by the ink of the letters, not by the height of a line.
;(() => {
  const canvas = document.createElement('canvas').getContext('2d')
  const SLACK = 1

  /** How far the letters of a text reach above and below its line, as shares of its box. */
  const inks = new Map()
  function ink(text, style) {
    const font = `${style.fontWeight} 100px ${style.fontFamily}`
    const said = style.textTransform === 'uppercase' ? text.toLocaleUpperCase() : text
    const key = font + said
    if (!inks.has(key)) {
      canvas.font = font
      const box = canvas.measureText(said)
      const whole = box.fontBoundingBoxAscent + box.fontBoundingBoxDescent
      inks.set(key, {
        top: Math.max(0, (box.fontBoundingBoxAscent - box.actualBoundingBoxAscent) / whole),
        bottom: Math.max(0, (box.fontBoundingBoxDescent - box.actualBoundingBoxDescent) / whole),
      })
    }
    return inks.get(key)
  }

  /** What is asked about an element again and again while nothing moves. */
  function remembered(answer) {
    const known = new Map()
    const ask = (element) => {
      if (!known.has(element)) known.set(element, answer(element))
      return known.get(element)
    }
    ask.forget = () => known.clear()
    return ask
  }

  /** Told to those who hear the page, and drawn nowhere. */
  const isOnlyHeard = remembered(
    (element) => element !== null && (getComputedStyle(element).clipPath === 'inset(50%)' || isOnlyHeard(element.parentElement)),
  )

  function isShown(element) {
    return !isOnlyHeard(element) && element.checkVisibility({ visibilityProperty: true, opacityProperty: true, contentVisibilityAuto: true }) && !element.closest('.sprite, title, option')
  }

  function nameOf(element) {
    const path = []
    for (let at = element; at && at !== document.body && path.length < 4; at = at.parentElement) {
      const classes = [...at.classList].filter((name) => !name.startsWith('svelte-')).join('.')
      path.unshift(at.tagName.toLowerCase() + (classes ? `.${classes}` : ''))
    }
    return path.join(' > ')
  }

  /** What of a scrolled or panned part of the page is in view. */
  const windowOf = remembered((element) => {
    if (!element || element === document.documentElement) return { left: -1e6, right: 1e6, top: -1e6, bottom: 1e6, element: null }
    const around = windowOf(element.parentElement)
    if (!/auto|scroll/.test(getComputedStyle(element).overflow) && !element.hasAttribute('data-pans')) return around
    const box = element.getBoundingClientRect()
    return {
      left: Math.max(around.left, box.left),
      right: Math.min(around.right, box.right),
      top: Math.max(around.top, box.top),
      bottom: Math.min(around.bottom, box.bottom),
      element,
    }
  })

  /** The board is scaled as a whole: what fits at one size fits at all. */
  function isOnBoard(element) {
    return element.closest('.room') !== null
  }

  function texts(withBoard) {
    const found = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = node.data.trim()
      const element = node.parentElement
      if (!text || ['SCRIPT', 'STYLE', 'TEXTAREA'].includes(element.tagName) || !isShown(element)) continue
      if (!withBoard && isOnBoard(element)) continue
      const style = getComputedStyle(element)
      let boxes
      if (element instanceof SVGTextContentElement) boxes = [element.getBoundingClientRect()]
      else {
        const range = document.createRange()
        range.selectNodeContents(node)
        boxes = [...range.getClientRects()]
      }
      const share = ink(text, style)
      const seen = windowOf(element)
      for (const box of boxes) {
        if (box.width < 1 || box.height < 1) continue
        if (box.right < seen.left || box.left > seen.right || box.bottom < seen.top || box.top > seen.bottom) continue
        found.push({
          seen,
          text,
          element,
          left: box.left,
          right: box.right,
          top: box.top + box.height * share.top,
          bottom: box.bottom - box.height * share.bottom,
          size: (parseFloat(style.fontSize) * box.height) / (element.getBBox?.().height || box.height),
        })
      }
    }
    return found
  }

  /** How a box ends what is in it: at its sides, at top and bottom, with an ellipsis. */
  const clipOf = remembered((element) => {
    const style = getComputedStyle(element)
    if (element.localName === 'svg' ? style.overflow === 'visible' : style.display === 'inline') return null
    const paints = /paint|strict|content/.test(style.contain)
    const clipsX = paints || style.overflowX === 'hidden' || style.overflowX === 'clip'
    const clipsY = paints || style.overflowY === 'hidden' || style.overflowY === 'clip'
    if (!clipsX && !clipsY) return null
    const isShortened = style.textOverflow === 'ellipsis' && element.scrollWidth > element.clientWidth + SLACK
    return { clipsX, clipsY, isShortened, box: element.getBoundingClientRect() }
  })

  /** What a box around the text cuts off; what can be scrolled into view is not cut off. */
  function cut(one) {
    for (let around = one.element; around && around !== document.documentElement; around = around.parentElement) {
      if (around === one.seen.element) return null
      const clip = clipOf(around)
      if (clip === null) continue
      if (clip.clipsX && (one.left < clip.box.left - SLACK || one.right > clip.box.right + SLACK)) return around
      if (clip.clipsY && (one.top < clip.box.top - SLACK || one.bottom > clip.box.bottom + SLACK)) return around
      if (clip.isShortened) return around
    }
    return null
  }

  function isOpaque(element) {
    const style = getComputedStyle(element)
    if (parseFloat(style.opacity) < 1) return false
    if (element instanceof SVGGeometryElement) {
      if (parseFloat(style.fillOpacity) < 1) return false
      return style.fill !== 'none' && !/rgba\(.*, (0|0?\.\d+)\)|color\(.* \/ .*\)|transparent/.test(style.fill)
    }
    if (element.localName === 'use') return true
    const ground = style.backgroundColor
    return !/rgba\(.*, (0|0?\.\d+)\)| \/ |transparent/.test(ground) || style.backgroundImage !== 'none'
  }

  /** Shapes of one drawing are painted in the order of the document: this one lies under the text. */
  function isDrawnBefore(shape, text) {
    const drawing = text.ownerSVGElement
    if (!drawing?.contains(shape) || shape === drawing) return false
    return Boolean(text.compareDocumentPosition(shape) & Node.DOCUMENT_POSITION_PRECEDING)
  }

  /** The thing that lies over the text at this place. */
  function over(one, x, y) {
    if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) return null
    const topmost = document.elementFromPoint(x, y)
    if (!topmost || topmost.contains(one.element)) return null
    for (const element of document.elementsFromPoint(x, y)) {
      if (element === one.element || element.contains(one.element)) return null
      if (one.element.contains(element)) return null
      if (element instanceof SVGTextContentElement || !isOpaque(element) || isDrawnBefore(element, one.element)) continue
      return element
    }
    return null
  }

  /** A board that is panned, a list that is scrolled: what lies over its edge there is meant to.
      So is a bar that stays while the page scrolls under it. */
  function isOverWindow(one, other) {
    for (let at = other; at; at = at.parentElement) if (getComputedStyle(at).position === 'sticky') return true
    return one.seen.element !== null && !one.seen.element.contains(other)
  }

  function covered(one) {
    const y = (one.top + one.bottom) / 2
    for (const x of [(one.left + one.right) / 2, one.right - 1.5]) {
      if (y < one.seen.top || y > one.seen.bottom || x < one.seen.left || x > one.seen.right) continue
      const other = over(one, x, y)
      if (other && !isOverWindow(one, other) && !other.closest('[popover], dialog, .tipplace, .flights')) return other
    }
    return null
  }

  function overlaps(all) {
    const found = []
    const sorted = [...all].sort((one, other) => one.top - other.top)
    sorted.forEach((one, index) => {
      for (let next = index + 1; next < sorted.length && sorted[next].top < one.bottom - SLACK; next++) {
        const other = sorted[next]
        if (other.element === one.element) continue
        const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left)
        const high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top)
        if (wide <= 1.5 || high <= 1.5) continue
        if (one.seen !== other.seen && (one.seen.element || other.seen.element)) {
          // one lies in a window of its own: it ends there
          const [inner, outer] = one.seen.element && !one.seen.element.contains(other.element) ? [one, other] : [other, one]
          if (outer.left > inner.seen.right - SLACK || outer.right < inner.seen.left + SLACK) continue
          if (outer.top > inner.seen.bottom - SLACK || outer.bottom < inner.seen.top + SLACK) continue
        }
        const [x, y] = [Math.max(one.left, other.left) + wide / 2, Math.max(one.top, other.top) + high / 2]
        if (over(one, x, y) || over(other, x, y)) continue
        found.push([one, other])
      }
    })
    return found
  }

  function forget() {
    for (const ask of [isOnlyHeard, windowOf, clipOf]) ask.forget()
  }

  /** In a browser without pointer events on pictures nothing could be found by its place. */
  function touchable(work) {
    const style = document.createElement('style')
    style.textContent = '*:not(.all):not(.hit) { pointer-events: auto !important }'
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(style.textContent)
    document.adoptedStyleSheets.push(sheet)
    try {
      return work()
    } finally {
      document.adoptedStyleSheets.pop()
    }
  }

  window.unreadable = (withBoard = true) =>
    touchable(() => {
      forget()
      const all = texts(withBoard)
      const said = new Set()
      for (const one of all) {
        const around = cut(one)
        if (around) said.add(`cut: “${one.text}” (${nameOf(one.element)}) by ${nameOf(around)}`)
        const other = covered(one)
        if (other) said.add(`under: “${one.text}” (${nameOf(one.element)}) under ${nameOf(other)}`)
      }
      for (const [one, other] of overlaps(all)) said.add(`over: “${one.text}” (${nameOf(one.element)}) and “${other.text}” (${nameOf(other.element)})`)
      const wide = document.documentElement.scrollWidth - innerWidth
      if (wide > 0) said.add(`the page is ${wide} px too wide`)
      return [...said]
    })
})()
