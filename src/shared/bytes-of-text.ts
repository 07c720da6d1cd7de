/** Memory that a text takes: V8 keeps a byte a letter, or two where one of them is beyond Latin-1. */
export const bytesOfText = (text: string): number => (/[^\0-\xff]/.test(text) ? 2 : 1) * text.length;
