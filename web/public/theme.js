// Before the first paint, so that a dark room stays dark.
;(() => {
  let theme = 'system'
  try {
    theme = JSON.parse(localStorage.getItem('industry.prefs') ?? '{}').theme ?? theme
  } catch {
    // no storage, or not ours: the system decides
  }
  const dark = theme === 'dark' || (theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.theme = dark ? 'dark' : 'light'
})()
