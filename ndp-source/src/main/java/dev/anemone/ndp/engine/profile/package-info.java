// SPDX-License-Identifier: Apache-2.0
/** What the engine tells of a query that it has run. */
package dev.anemone.ndp.engine.profile;
