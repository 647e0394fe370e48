import { language } from './i18n.svelte'

/** A day as the language writes it. */
export function day(at: number): string {
  return new Intl.DateTimeFormat(language(), { dateStyle: 'medium' }).format(at)
}
