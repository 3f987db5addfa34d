/** Where people land when nothing better is known. */
export const consoleHome = '/console/'

/**
 * Where to go after signing in: a page of the console, by its path. Whatever else is asked for leads home, so that no
 * link to the sign-in can lead to another site.
 */
export function safeReturnTo(asked: string | undefined): string {
  if (asked === undefined || asked.length > 2048 || !asked.startsWith(consoleHome)) return consoleHome
  // Browsers take a backslash for a slash, leave control characters out, and climb by dots.
  if (!/^\/console\/[\w\-.~%!$&'()*+,;=:@/?#[\]]*$/.test(asked)) return consoleHome
  const { origin, pathname } = new URL(asked, 'https://console.invalid')
  const stays = origin === 'https://console.invalid' && pathname.startsWith(consoleHome)
  return stays && !pathname.startsWith('/console/api/') && !pathname.includes('//') ? asked : consoleHome
}
