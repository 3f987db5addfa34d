const browsers: readonly (readonly [name: string, mark: RegExp])[] = [
  ['Edge', /\bEdg\/(\d+)/],
  ['Opera', /\bOPR\/(\d+)/],
  ['Firefox', /\bFirefox\/(\d+)/],
  ['Chrome', /Chrome\/(\d+)/],
  ['Safari', /\bVersion\/(\d+).*Safari/],
]
const systems: readonly (readonly [name: string, mark: RegExp])[] = [
  ['iOS', /iPhone|iPad/],
  ['Android', /Android/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS X/],
  ['ChromeOS', /CrOS/],
  ['Linux', /Linux/],
]

/** Summarizes a user agent: `Firefox 142 on macOS`. */
export function browserText(userAgent: string | null): string {
  if (userAgent === null || userAgent === '') return 'Unknown browser'
  const [name] = browsers.find(([, mark]) => mark.test(userAgent)) ?? []
  const version = browsers.find(([, mark]) => mark.test(userAgent))?.[1].exec(userAgent)?.[1]
  const [system] = systems.find(([, mark]) => mark.test(userAgent)) ?? []
  if (name === undefined) return userAgent.slice(0, 40)
  return [name, version, system === undefined ? '' : `on ${system}`].filter(Boolean).join(' ')
}
