import { defineUnlistedScript } from 'wxt/utils/define-unlisted-script'
import { providePart } from '../loader/fetch-part.ts'
import { collectFeatures } from '../threats/collect-features.ts'

/** Part of the observer that reads the features for judging a page outside the catalog. */
export default defineUnlistedScript(() => providePart('features', collectFeatures))
