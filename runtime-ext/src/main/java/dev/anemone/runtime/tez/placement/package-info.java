// SPDX-License-Identifier: Apache-2.0
/**
 * On which hosts, and in containers of which size, the tasks of a stage run: executors of a kind
 * for vertices of that {@link dev.anemone.ir.property.ResourcePriority}, near their data among
 * these.
 */
package dev.anemone.runtime.tez.placement;
