/** How a state looks to the eye, in colour and as a mark: it went well, it waits, it needs a person, or it is over. */
export type Look = 'good' | 'waiting' | 'bad' | 'over';
