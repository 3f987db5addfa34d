import { type AgentStatus, type AgentTrouble, ask } from '../messages.ts'
import { fillTexts, moment, part, show } from './page-parts.ts'
import { type TextName, text } from './texts.ts'

const troubleTexts: Readonly<Record<AgentTrouble, TextName>> = {
  UNREACHABLE: 'troubleUnreachable',
  REFUSED: 'troubleRefused',
  LINK_USED: 'troubleLinkUsed',
  SERVER_ERROR: 'troubleServerError',
}

function showStatus(status: AgentStatus): void {
  const { state, host, organizationName, contact, lastReportSeconds } = status
  const organization = organizationName ?? text('theOrganization')
  part('state').dataset.state = state
  show('version', text('version', { version: status.version }))
  if (state === 'ENROLLED') {
    show('state', text('connected', { host: host ?? '' }))
    show('more', text(status.managed ? 'connectedManagedMore' : 'connectedMore', { organization }))
  } else if (state === 'DORMANT') {
    show('state', text('dormant'))
    show('more', text('dormantMore', { host: host ?? '' }))
  } else {
    show('state', text('notConnected'))
    show('more', text('notConnectedMore'))
  }
  show('trouble', status.trouble === null ? null : text(troubleTexts[status.trouble]))
  part('figures').hidden = state !== 'ENROLLED'
  part('actions').hidden = state !== 'ENROLLED'
  show('last-report', lastReportSeconds === null ? text('never') : moment(lastReportSeconds))
  show('waiting', String(status.queueLength))
  show('lost', status.lost > 0 ? String(status.lost) : null)
  part('lost-label').hidden = status.lost === 0
  show('contact', contact)
  part('contact-label').hidden = contact === null
}

async function refresh(kind: 'getStatus' | 'reportNow'): Promise<void> {
  const status = await ask(kind, {})
  if (status) showStatus(status)
}

async function reportNow(): Promise<void> {
  const button = part('report-now') as HTMLButtonElement
  button.disabled = true
  button.textContent = text('reporting')
  await refresh('reportNow')
  button.disabled = false
  button.textContent = text('reportNow')
}

fillTexts()
part('report-now').addEventListener('click', () => void reportNow())
void refresh('getStatus')
