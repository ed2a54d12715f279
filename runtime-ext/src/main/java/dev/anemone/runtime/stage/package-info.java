// SPDX-License-Identifier: Apache-2.0
/** Stages: which vertices of the IR run fused in one task, and what flows between them. */
package dev.anemone.runtime.stage;
