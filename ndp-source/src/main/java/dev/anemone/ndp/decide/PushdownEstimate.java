// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ndp.decide;

/**
 * What the model expects if a given number of operators is pushed.
 *
 * @param pushed operators that run on the storage side
 * @param networkBytes that cross the network
 * @param storageSeconds on the storage side, its queue included
 * @param networkSeconds on the network, with what others send
 * @param computeSeconds on the compute side; of a job, that of its cores or of its slots, whichever
 *     are busy for longer
 * @param seconds in all: the parts follow each other in a split, and overlap in a job
 */
public record PushdownEstimate(
    int pushed,
    double networkBytes,
    double storageSeconds,
    double networkSeconds,
    double computeSeconds,
    double seconds) {}
