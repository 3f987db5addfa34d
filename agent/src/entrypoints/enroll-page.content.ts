import { defineContentScript } from 'wxt/utils/define-content-script'
import { ask } from '../messages.ts'

/**
 * Sees enrollment pages. All that it says is that there is one: token and host come from the browser's address of
 * the page, never from its text, and the employee decides on the agent's own page.
 */
export default defineContentScript({
  matches: ['https://*/enroll/*', 'http://localhost/enroll/*', 'http://127.0.0.1/enroll/*'],
  runAt: 'document_end',
  main() {
    if (document.querySelector('meta[name="muster-enrollment"][content="1"]')) void ask('enrollmentPage', {})
  },
})
