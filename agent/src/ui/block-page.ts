import { ask } from '../messages.ts'
import { fillTexts, part, show } from './page-parts.ts'
import { text } from './texts.ts'

/** True if the page is embedded. Any site can embed it, so it then shows no details. */
const isEmbedded = window.top !== window

async function showFacts(): Promise<void> {
  const facts = isEmbedded ? undefined : await ask('blockPage', {})
  const organization = facts?.organizationName ?? text('theOrganization')
  show('more', text('blockedMore', { organization }))
  if (!facts?.url) return
  show('host', new URL(facts.url).host)
  show('address', facts.url)
  show('pattern', facts.pattern)
  show('contact', facts.contact)
  part('contact-label').hidden = facts.contact === null
  show('reported', text('blockedReported'))
  part('facts').hidden = false
}

fillTexts()
document.title = text('blockedTitle')
part('back').hidden = history.length < 2
part('back').addEventListener('click', () => history.back())
void showFacts()
