/**
 * All texts of the agent's own pages and banners, in one place for review and translation. `{name}` is a placeholder.
 * Texts of warnings are in `threats/warning-texts.ts`.
 */
export const texts = {
  agent: 'Muster agent',
  version: 'Version {version}',

  notConnected: 'Not connected',
  notConnectedMore:
    'Nothing is observed or reported. To connect, open the enrollment link that your organization sent you.',
  connected: 'Connected to {host}',
  connectedMore: 'This browser reports to {organization}.',
  connectedManagedMore: 'Your device management connected this browser to {organization}.',
  dormant: 'Paused',
  dormantMore:
    'Your organization paused reporting for this browser at {host}. Nothing is observed or reported.',
  theOrganization: 'your organization',

  lastReport: 'Last report',
  never: 'None yet',
  waiting: 'Waiting to be sent',
  lost: 'Not delivered',
  contact: 'Contact',
  reportNow: 'Report now',
  reporting: 'Reporting …',

  troubleUnreachable: 'Cannot reach the server. Reports are kept here and sent later.',
  troubleRefused:
    'The server no longer recognizes this browser. Ask your organization for a new enrollment link.',
  troubleLinkUsed: 'This enrollment link is no longer valid. Ask your organization for a new one.',
  troubleServerError: 'The server sent an unexpected response. Reports are kept here and sent later.',

  whatIsReported: 'What is reported',
  reportedBrowser:
    'This browser: that it is running, its name, version, language and operating system, and the e-mail address of its profile.',
  reportedExtensions: 'Installed extensions and their permissions.',
  reportedLogins:
    'Sign-ins: the page, your e-mail address or user name, the sign-in method, two-step verification, whether the password was typed or filled in, and whether it is weak, leaked, stolen or reused.',
  reportedVisits:
    'Visits to known work apps, to sites where you enter your work address, and to sites where you sign in without an address: the host name, at most once a day.',
  reportedThreats: 'Blocked pages that you open, malicious pages, and your responses to notices.',
  reportedConnection: 'The IP address of each report.',
  notReported: 'What is not reported',
  notReportedPasswords: 'Your passwords: they are checked here and never leave this browser.',
  notReportedHistory: 'Your browsing history, the content of pages, and what you type on them.',

  debugLink: 'Sign-in attempts (debug)',
  debugTitle: 'Sign-in attempts',
  debugMore:
    'The last 50 sign-in attempts that the agent judged in this browser session, with the facts and weights of each judgment. Nothing here is reported, and it is deleted when the browser closes.',
  debugRefresh: 'Refresh',
  debugEmpty: 'No sign-in attempts yet',
  debugSucceeded: 'Signed in',
  debugFailed: 'Not signed in',
  debugPending: 'Unclear',

  consentTitle: 'Connect this browser to {host}?',
  consentMore:
    'You opened an enrollment link of this server. Connect only if your organization asked you to and you recognize this name:',
  consentReplaces: 'This browser is currently connected to {host}. That connection will end.',
  consentGone: 'This request has expired. Open the enrollment link again.',
  connect: 'Connect',
  connecting: 'Connecting …',
  decline: 'Not now',
  consentConnected: 'Connected. You can close this page.',
  consentDeclined: 'Not connected. Nothing is reported. You can close this page.',
  consentDormant: 'Not connected: you have no license at {host}. Ask your organization.',
  consentUnreachable: 'Cannot reach the server. Try again.',
  consentServerError: 'The server sent an unexpected response. Try again later.',
  consentRefused: 'The server rejected this browser. Ask your organization.',

  blockedTitle: 'This address is blocked',
  blockedMore: 'Blocked by {organization}.',
  blockedAddress: 'Address',
  blockedPattern: 'Matched rule',
  blockedReported: 'This visit was reported to your security team.',
  goBack: 'Go back',

  bannerInform: 'Close',
  bannerAcknowledge: 'I understand',
  bannerReason: 'Continue',
  bannerReasonLabel: 'Why do you need this app?',
  bannerBlock: 'This app must not be used.',
  bannerFrom: 'Notice from {organization}',
} as const

export type TextName = keyof typeof texts

/** Returns a text with its placeholders filled in. */
export function text(name: TextName, values: Readonly<Record<string, string>> = {}): string {
  return texts[name].replace(/\{(\w+)\}/g, (place, key: string) => values[key] ?? place)
}
