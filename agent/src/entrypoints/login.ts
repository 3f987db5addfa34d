import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script'
import { providePart } from '../loader/fetch-part.ts'
import { loginPart } from '../observe/login-part.ts'

/** Part of the observer for login attempts. */
export default defineUnlistedScript(() => providePart('login', loginPart))
