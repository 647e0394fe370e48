// Keys of the table. A letter goes to its button, the same letter again presses it; digits choose an
// amount, Enter makes the bid.
interface Handlers {
  escape: () => void
  help: () => void
  zoom: (step: -1 | 0 | 1) => void
}

let typed = ''
let last = 0
const TOGETHER = 900
/** Skipping decides nothing: one press is enough. */
const SKIP = 'n'

function goTo(element: HTMLElement | null): boolean {
  if (!element) return false
  element.focus()
  element.scrollIntoView({ block: 'nearest' })
  return true
}

function digit(key: string): boolean {
  const now = Date.now()
  typed = now - last < TOGETHER ? typed + key : key
  last = now
  const wanted = (text: string): HTMLElement | null =>
    document.querySelector<HTMLElement>(`[data-bid="${Number(text)}"], [data-key="${text}"]`)
  const found = wanted(typed) ?? wanted(key)
  if (!wanted(typed)) typed = key
  return goTo(found)
}

function letter(key: string): boolean {
  const button = document.querySelector<HTMLButtonElement>(`[data-key="${key}"]:not(:disabled)`)
  if (!button) return false
  if (document.activeElement === button || key === SKIP) button.click()
  else goTo(button)
  return true
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.matches('input:not([type=radio], [type=checkbox]), textarea, select') || target.closest('dialog') !== null)
  )
}

export function handleKey(event: KeyboardEvent, { escape, help, zoom }: Handlers): void {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
  const key = event.key.toLowerCase()
  let done = false
  if (key === 'escape') escape()
  else if (key === '+' || key === '-') {
    zoom(key === '+' ? 1 : -1)
    done = true
  } else if (key === '?') {
    help()
    done = true
  } else if (key === 'b') done = goTo(document.querySelector<HTMLElement>('.board [data-field][tabindex="0"]'))
  else if (key === 'l') done = goTo(document.querySelector<HTMLElement>('.log ol'))
  else if (/^\d$/.test(key)) done = digit(key)
  else if (/^[a-z]$/.test(key)) done = letter(key)
  if (done) event.preventDefault()
}
