/** A fault in the product: a text of a file that is replaced. */
export interface PlantedFault {
  readonly name: string;
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

export const plantedFaults: readonly PlantedFault[] = [];
