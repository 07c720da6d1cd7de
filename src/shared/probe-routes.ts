/** Routes that watch a process: what asks them asks it for nothing. */
export const probeRoutes: ReadonlySet<string> = new Set(['/health/live', '/health/ready', '/metrics']);
