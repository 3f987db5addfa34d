/** How the page looks: as the system does unless told. */
export type Theme = 'system' | 'light' | 'dark'

const name = 'muster.theme'

/** The theme that was chosen in this browser. */
export function readTheme(): Theme {
  const { theme } = document.documentElement.dataset
  return theme === 'light' || theme === 'dark' ? theme : 'system'
}

/** Changes it and keeps it. */
export function setTheme(theme: Theme): void {
  const { dataset } = document.documentElement
  if (theme === 'system') delete dataset.theme
  else dataset.theme = theme
  try {
    if (theme === 'system') localStorage.removeItem(name)
    else localStorage.setItem(name, theme)
  } catch {
    // It holds until the page is left.
  }
}
