// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.property;

/** A property of an edge. */
public sealed interface EdgeProperty extends Property
    permits CommunicationPattern,
        DataFlow,
        DataStore,
        DataPersistence,
        Partitioner,
        PartitionSet,
        Encoder,
        Decoder,
        Compression,
        Decompression,
        KeyExtractor,
        KeyEncoder,
        Order,
        Divisibility,
        SharedOutput,
        SpillStore {}
