import { defineContentScript } from 'wxt/utils/define-content-script'
import { ask } from '../messages.ts'

/**
 * Detects enrollment pages and reports only that there is one. Token and host come from the page's address as supplied
 * by the browser, never from its text, and the employee decides on the agent's own page.
 */
export default defineContentScript({
  matches: ['https://*/enroll/*', 'http://localhost/enroll/*', 'http://127.0.0.1/enroll/*'],
  runAt: 'document_end',
  main() {
    if (document.querySelector('meta[name="muster-enrollment"][content="1"]')) void ask('enrollmentPage', {})
  },
})
