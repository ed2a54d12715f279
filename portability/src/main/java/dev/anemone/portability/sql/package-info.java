// SPDX-License-Identifier: Apache-2.0
/** Beam SQL for other SDKs, as a transform that the expansion service expands. */
package dev.anemone.portability.sql;
