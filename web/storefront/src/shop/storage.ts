const kept = new Map<string, string>();

/** Local storage; where the browser refuses it, this page remembers. */
export const storage = {
  get(name: string): string | null {
    try {
      return kept.get(name) ?? localStorage.getItem(name);
    } catch {
      return null;
    }
  },
  set(name: string, value: string): void {
    try {
      localStorage.setItem(name, value);
      kept.delete(name);
    } catch {
      kept.set(name, value);
    }
  },
};

/** Also on pages without TLS, where `randomUUID` is missing. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
