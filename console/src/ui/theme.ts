/** Color theme of the console. */
export type Theme = 'system' | 'light' | 'dark'

const name = 'muster.theme'

/** Returns the theme selected in this browser. */
export function readTheme(): Theme {
  const { theme } = document.documentElement.dataset
  return theme === 'light' || theme === 'dark' ? theme : 'system'
}

/** Sets and stores the theme. */
export function setTheme(theme: Theme): void {
  const { dataset } = document.documentElement
  if (theme === 'system') delete dataset.theme
  else dataset.theme = theme
  try {
    if (theme === 'system') localStorage.removeItem(name)
    else localStorage.setItem(name, theme)
  } catch {
    // Without storage the choice lasts until the page is closed.
  }
}
