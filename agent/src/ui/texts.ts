/**
 * Every text that the agent's own pages and banners show, in one place, so that another language is another object of
 * this shape. `{name}` is filled in.
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
  dormantMore: '{host} asks for no reports from this browser. Nothing is observed or reported.',
  theOrganization: 'your organization',

  lastReport: 'Last report',
  never: 'None yet',
  waiting: 'Waiting to be reported',
  lost: 'Not delivered',
  contact: 'Questions to',
  reportNow: 'Report now',
  reporting: 'Reporting …',

  troubleUnreachable: 'The server cannot be reached. Reports wait here and are sent later.',
  troubleRefused:
    'The server does not know this browser any more. Ask your organization for a new enrollment link.',
  troubleLinkUsed: 'This enrollment link does not work any more. Ask whoever sent it for a new one.',
  troubleServerError: 'The server does not answer as it should. Reports wait here and are sent later.',

  whatIsReported: 'What is reported',
  reportedBrowser:
    'This browser: that it is open, its kind, version, language, operating system, and the address of its profile.',
  reportedExtensions: 'Its extensions, with their permissions.',
  reportedLogins:
    'Sign-ins: the page, your address or user name there, how you signed in, whether there was a second step, whether the password was typed or filled in, and whether it is weak, leaked, stolen, or used more than once.',
  reportedVisits:
    'Apps that Muster or your organization lists, sites where you give your work address, and sites where you sign in without an address: their host, at most once a day.',
  reportedThreats: 'Blocked pages that you open, attacks by pages, and your answers to notices.',
  reportedConnection: 'The network address that each report comes from.',
  notReported: 'What is not',
  notReportedPasswords: 'Your passwords: they are judged here and never leave this browser.',
  notReportedHistory: 'Your history, what pages show, and what you write on them.',

  debugLink: 'Sign-in attempts (debug)',
  debugTitle: 'Sign-in attempts',
  debugMore:
    'The last 50 sign-in attempts that the agent judged in this browser session, with the facts and weights of each judgment. Nothing here is reported, and it is deleted when the browser closes.',
  debugRefresh: 'Refresh',
  debugEmpty: 'No sign-in attempts yet',
  debugSucceeded: 'Signed in',
  debugFailed: 'Not signed in',
  debugPending: 'Not sure',

  consentTitle: 'Connect this browser to {host}?',
  consentMore:
    'You opened an enrollment link of this server. Connect only if your organization asked you to, and if you know this name:',
  consentReplaces: 'This browser is connected to {host} now. That connection ends.',
  consentGone: 'This question is no longer open. Open the enrollment link once more.',
  connect: 'Connect',
  connecting: 'Connecting …',
  decline: 'Not now',
  consentConnected: 'Connected. You can close this page.',
  consentDeclined: 'Not connected. Nothing is reported. You can close this page.',
  consentDormant: '{host} has no license for you, so nothing was connected. Ask your organization.',
  consentUnreachable: 'The server cannot be reached. Try again.',
  consentServerError: 'The server does not answer as it should. Try again later.',
  consentRefused: 'The server refused to connect this browser. Ask your organization.',

  blockedTitle: 'This address is blocked',
  blockedMore: 'Blocked by {organization}.',
  blockedAddress: 'Address',
  blockedPattern: 'Blocked as',
  blockedReported: 'This visit was reported to the people who look after security.',
  goBack: 'Go back',

  bannerInform: 'Close',
  bannerAcknowledge: 'I understand',
  bannerReason: 'Continue',
  bannerReasonLabel: 'Why do you need this app?',
  bannerBlock: 'This app must not be used.',
  bannerFrom: 'Notice from {organization}',
} as const

export type TextName = keyof typeof texts

/** A text with its places filled in. */
export function text(name: TextName, values: Readonly<Record<string, string>> = {}): string {
  return texts[name].replace(/\{(\w+)\}/g, (place, key: string) => values[key] ?? place)
}
