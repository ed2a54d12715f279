// SPDX-License-Identifier: Apache-2.0
package dev.anemone.ir.property;

/** A property of a vertex. */
public sealed interface VertexProperty extends Property
    permits Parallelism,
        Parallelism.Coalescing,
        Divisibility.Measured,
        SplitAssignment,
        ResourceSlot,
        ResourcePriority,
        ResourceLocality,
        ResourceSite,
        NativeMemory,
        AntiAffinity,
        ClonedScheduling,
        PushdownCosts,
        KeyFilters,
        ScheduleGroup {}
