import { defineBackground } from 'wxt/utils/define-background'
import { startAgent } from '../background/start-agent.ts'

export default defineBackground(startAgent)
