import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script'
import { providePart } from '../loader/fetch-part.ts'
import { attemptPart } from '../observe/attempt-part.ts'

/** The part of the observer for login attempts. */
export default defineUnlistedScript(() => providePart('attempt', attemptPart))
