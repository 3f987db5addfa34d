/** Default page after signing in. */
export const consoleHome = '/console/'

/**
 * Returns the path to open after signing in. Anything but a console page is replaced by the home page, to prevent open
 * redirects.
 */
export function safeReturnTo(asked: string | undefined): string {
  if (asked === undefined || asked.length > 2048 || !asked.startsWith(consoleHome)) return consoleHome
  // Browsers treat a backslash as a slash, drop control characters and resolve dot segments.
  if (!/^\/console\/[\w\-.~%!$&'()*+,;=:@/?#[\]]*$/.test(asked)) return consoleHome
  const { origin, pathname } = new URL(asked, 'https://console.invalid')
  const stays = origin === 'https://console.invalid' && pathname.startsWith(consoleHome)
  return stays && !pathname.startsWith('/console/api/') && !pathname.includes('//') ? asked : consoleHome
}
