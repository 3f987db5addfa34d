// Before anything is painted: the theme that was chosen in this browser, or that of the system.
try {
  const theme = localStorage.getItem('muster.theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // Storage may be forbidden: the theme of the system it is.
}
