import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script'
import { watchTopLayer } from '../lib/top-layer.ts'
import { providePart } from '../loader/fetch-part.ts'
import { showWarning } from '../threats/warning.ts'

/** Part of the observer that covers a page with a warning. */
export default defineUnlistedScript(() => {
  watchTopLayer()
  providePart('warn', showWarning)
})
