/**
 * Marks of phishing tools in the text of a page, with points. A page proxied by a tool (adversary in the middle) still
 * contains parts that only the provider's own page has, but on another host.
 */
const scriptMarks: readonly (readonly [mark: string, points: number, pattern: RegExp])[] = [
  ['TELEGRAM_BOT', 3, /api\.telegram\.org\/bot/i],
  ['DISCORD_HOOK', 3, /discord(?:app)?\.com\/api\/webhooks\//i],
  [
    'PASSED_THROUGH_MICROSOFT',
    3,
    /\$Config\s*=\s*\{[\s\S]{0,4000}"?(?:urlMsaSignUp|sCtx|urlPost|fShowPersistentCookiesWarning)"?\s*:/,
  ],
  ['PASSED_THROUGH_GOOGLE', 3, /AccountsSignInUi|accounts\.google\.com\/_\/signin/i],
  ['WRITTEN_BY_SCRIPT', 2, /document\.write\s*\(\s*(?:unescape|atob|decodeURIComponent)\s*\(/],
  ['PACKED', 2, /eval\s*\(\s*(?:function\s*\(p,a,c,k,e|atob\s*\(|unescape\s*\()/],
  ['FRAGMENT_READ', 1, /(?:atob|decodeURIComponent)\s*\(\s*(?:window\.)?location\.hash/],
  ['ADDRESS_LOOKED_UP', 1, /api\.ipify\.org|ipinfo\.io|ip-api\.com|ipapi\.co|geoplugin\.net/i],
  ['TOOLS_HELD_OFF', 1, /keyCode\s*===?\s*123\b|event\.key\s*===?\s*['"]F12['"]|debugger;?\s*\}\s*,\s*\d+\)/],
]

/** Marks in the page itself. */
const pageMarks: readonly (readonly [mark: string, points: number])[] = [
  ['PASSED_THROUGH_MICROSOFT_PAGE', 3],
  ['DRAWN_ADDRESS', 2],
  ['COPIED_BY_TOOL', 2],
  ['ADDRESS_IN_FRAGMENT', 2],
  ['POSTED_TO_SCRIPT', 1],
  ['NO_CONTEXT_MENU', 1],
]

const pointsOf = (mark: string): number =>
  [...scriptMarks, ...pageMarks].find(([name]) => name === mark)?.[1] ?? 0

/** Returns the marks in a page's inline scripts. */
export const marksIn = (script: string): string[] =>
  scriptMarks.filter(([, , pattern]) => pattern.test(script)).map(([mark]) => mark)

/** Returns true if a comment was left by a tool that copies sites. */
export const isCopiedByTool = (comment: string): boolean =>
  /mirrored from|saved from url=\(\d+\)|httrack|singlefile/i.test(comment)

/**
 * Returns true if a fragment contains the address of a victim: plain, in base64, or after a separator. Text after a
 * slash is an app's route, unless it is just an address.
 */
export function carriesAddress(fragment: string): boolean {
  const text = fragment.replace(/^#/, '')
  const isAddress = (candidate: string) => /^[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+$/.test(candidate)
  const candidates = text.startsWith('/') ? [text.slice(1)] : [text, ...text.split(/[$*/&=]/)].slice(0, 20)
  return candidates.some((candidate) => isAddress(decoded(candidate)) || isAddress(fromBase64(candidate)))
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function fromBase64(text: string): string {
  if (text.length < 8 || !/^[\w+/-]+={0,2}$/.test(text)) return ''
  try {
    return atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  } catch {
    return ''
  }
}

/** Returns true for an address of a sign-in page, as in a browser window drawn by the page. */
export const isDrawnAddress = (text: string): boolean =>
  /^(?:https:\/\/)?(?:accounts\.google\.com|login\.microsoftonline\.com|login\.live\.com|appleid\.apple\.com|[\w-]+\.okta\.com|github\.com\/login|www\.facebook\.com\/login)\b\S{0,200}$/.test(
    text.trim(),
  )

/** Returns true for paths of scripts with which phishing kits collect input. */
export const isDropScript = (path: string): boolean =>
  /\/(?:post|next|process|send|submit|result|finish|action|log|mail|verify|check)\w{0,8}\.php$/i.test(path)

const pointsMinimum = 3

/** Returns true if the marks of a page are those of a phishing tool. A weak mark alone is not enough. */
export const isPhishingTool = (marks: readonly string[]): boolean =>
  [...new Set(marks)].reduce((sum, mark) => sum + pointsOf(mark), 0) >= pointsMinimum
