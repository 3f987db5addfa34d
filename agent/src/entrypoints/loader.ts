import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script'
import { startLoader } from '../loader/start-loader.ts'

export default defineUnlistedScript(startLoader)
