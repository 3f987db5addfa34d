// Applies the stored theme before the first paint.
try {
  const theme = localStorage.getItem('muster.theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // Without storage the system theme applies.
}
