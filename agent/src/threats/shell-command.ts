/** Patterns of commands that download and run something, as pages put them on the clipboard. */
const commands: readonly RegExp[] = [
  /\b(?:powershell|pwsh)(?:\.exe)?\b[\s\S]*(?:-e(?:nc(?:odedcommand)?)?\b|-w(?:indowstyle)?\s+(?:h|hidden|1)\b|-nop|bypass|\biex\b|invoke-|\birm\b|\biwr\b|downloadstring|downloadfile|frombase64string|start-process|https?:)/,
  /\b(?:iex|invoke-expression)\b[\s\S]*\b(?:irm|iwr|invoke-restmethod|invoke-webrequest|downloadstring|new-object)\b/,
  /\b(?:irm|iwr|invoke-restmethod|invoke-webrequest)\b[\s\S]*\|\s*(?:iex|invoke-expression)\b/,
  /\bmshta(?:\.exe)?\s+["']?(?:https?:|vbscript:|javascript:|\\\\)/,
  /\bcmd(?:\.exe)?\s+\/[a-z]*[ck]\b[\s\S]*(?:curl|start|powershell|mshta|bitsadmin|certutil|https?:|\\\\|&&|\|)/,
  /\bcertutil(?:\.exe)?\b[\s\S]*-(?:urlcache|decode)\b/,
  /\bbitsadmin(?:\.exe)?\b[\s\S]*\/transfer\b/,
  /\bregsvr32(?:\.exe)?\b[\s\S]*\/i:https?:/,
  /\bmsiexec(?:\.exe)?\b[\s\S]*(?:\/i|\/package|-i)\s*["']?https?:/,
  /\brundll32(?:\.exe)?\s+\S+,/,
  /\b(?:wscript|cscript)(?:\.exe)?\s+\S/,
  /\bconhost(?:\.exe)?\b[\s\S]*--headless/,
  /\b(?:curl|wget)\b[^|;&]*\|\s*(?:sudo\s+)?(?:ba|z|da)?sh\b/,
  /\b(?:curl|wget)\b[^|;&]*\|\s*(?:python3?|perl|ruby|node|osascript)\b/,
  /\b(?:ba|z)?sh\b\s+(?:-c\s+)?["']?(?:\$\(|<\(|`)\s*(?:curl|wget)\b/,
  /\bbase64\s+(?:-d|-D|--decode)\b[\s\S]*\|\s*(?:sudo\s+)?(?:(?:ba|z)?sh|python3?|osascript)\b/,
  /\bosascript\s+-e\b[\s\S]*(?:do shell script|curl)/,
  /\bpython3?\s+-c\b[\s\S]*(?:exec|urlopen|urllib|requests|b64decode)/,
  /\bxattr\s+-[rdc]+\b[\s\S]*(?:&&|;)\s*\S/,
  /\bchmod\s+\+x\b[\s\S]*(?:&&|;)\s*\S*\/tmp\//,
]

/** Words of which every pattern requires at least one. */
const commandWords =
  /powershell|pwsh|\biex\b|invoke-|mshta|\bcmd|certutil|bitsadmin|regsvr32|msiexec|rundll32|[wc]script|conhost|curl|wget|base64|osascript|python|xattr|chmod/i

/** Returns true if a text may be a command; true for every shell command. */
export const mayBeCommand = (text: string): boolean => commandWords.test(text.replace(/[\^`'"]/g, ''))

/** Maximum length of clipboard text that is read. Commands start early, or hide after spaces. */
const lengthMaximum = 20_000

/** Returns a text in the form that the shell uses: without carets, backticks and quotes inside words. */
const plain = (text: string) =>
  text
    .slice(0, lengthMaximum)
    .toLowerCase()
    .replace(/(?<=\w)[\^`](?=\w)|(?<=\w)(?:''|"")(?=\w)/g, '')

/** Returns true if a text is a command that downloads and runs something. */
export function isShellCommand(text: string): boolean {
  const command = plain(text)
  return commands.some((pattern) => pattern.test(command))
}

/** Texts of pages that trick people into pasting a command. */
const lure =
  /\bwin(?:dows)?(?: key| button| logo key)?\s*(?:\+|and|then)\s*[rx]\b|\bpress\b.{0,40}\bwindows\b|\brun dialog\b|\bctrl\s*\+\s*v\b|⌘\s*\+?\s*v\b|\bopen (?:the )?(?:terminal|powershell|command prompt)\b.{0,200}\bpaste\b|\b(?:i'?m not|i am not) a robot\b|\bverify (?:that )?you(?:'re| are) (?:a )?human\b|\bverification steps\b|\bfix (?:it|the (?:issue|problem|error))\b.{0,200}\bpaste\b/

const squeeze = (text: string) => text.replace(/\s+/g, '').toLowerCase()

/**
 * Returns true if text copied by a page is an attack: a command that was not selected, and that the page hides or
 * tricks people into running. A page that shows the command that its button copies, such as installation instructions,
 * is not reported.
 *
 * @param selected selection of the employee
 * @param readable all readable text of the page
 */
export function isMaliciousCopy(text: string, selected: string, readable: string): boolean {
  if (!isShellCommand(text) || squeeze(selected) === squeeze(text)) return false
  return lure.test(readable.toLowerCase()) || !squeeze(readable).includes(squeeze(text))
}
