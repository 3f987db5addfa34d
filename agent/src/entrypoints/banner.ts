import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script'
import { followBanner } from '../banner/follow-banner.ts'

export default defineUnlistedScript(followBanner)
