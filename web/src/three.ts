// three.ts: dual quaternion skinning for three.js's WebGLRenderer.
//
//   import { supple } from 'supple-skin/three';
//   supple(mesh, { method: 'dqs' });            // any material, shadows, picking, bounds
//
// Importing this module replaces three's skinning chunks by ones that look at the bone texture: that of a
// SuppleSkeleton is not square and holds the joints' turns behind the matrices. So a material serves meshes of both
// methods, and nothing of it is touched. Import it before the first frame is drawn: programs that were made before keep
// what they were made of. Those of a mesh's materials are made anew, those of shadows when three next looks at them.
import { Material, Object3D, ShaderChunk } from 'three';
import { handleOf, type SuppleHandle, type SuppleOptions } from './three-handle.js';
import { LINEAR_SHARE, patchSkinnedMesh, SuppleSkeleton } from './three-skeleton.js';

export { LINEAR_SHARE, SuppleSkeleton };
export { SuppleInfluences } from './three-influences.js';

export type { Method, SuppleHandle, SuppleOptions } from './three-handle.js';

// What three's own chunks do stays as it is, to the bit, for a texture that is square.
const { skinning_pars_vertex: plainPars, skinnormal_vertex: plainNormal, skinning_vertex: plainVertex } = ShaderChunk;

const pars = /* glsl */ `${plainPars}
#ifdef USE_SKINNING

	attribute float ${LINEAR_SHARE};

	vec4 suppleTexel( const in int i ) {

		int size = textureSize( boneTexture, 0 ).x;
		return texelFetch( boneTexture, ivec2( i % size, i / size ), 0 );

	}

	bool suppleHasTurns() {

		ivec2 size = textureSize( boneTexture, 0 );
		return size.x != size.y;

	}

	// c as a pure quaternion, times q.
	vec4 suppleTimes( const in vec3 c, const in vec4 q ) {

		return vec4( c * q.w + cross( c, q.xyz ), - dot( c, q.xyz ) );

	}

	struct SuppleBlend {
		mat4 linear; // the sum of w M
		mat4 blocks; // the sum of w M q, each column as a pure quaternion
		vec4 turn; // the sum of w q
	};

	void suppleAdd( inout SuppleBlend blend, const in vec4 pivot, const in int turns, const in float joint,
		const in float weight ) {

		mat4 m = getBoneMatrix( joint );
		vec4 q = suppleTexel( turns + int( joint ) );
		// Exactly half a turn apart stays as it is: never sign(), which is 0 there.
		q *= dot( q, pivot ) < - 1e-6 ? - weight : weight;
		blend.linear += weight * m;
		blend.turn += q;
		blend.blocks[ 0 ] += suppleTimes( m[ 0 ].xyz, q );
		blend.blocks[ 1 ] += suppleTimes( m[ 1 ].xyz, q );
		blend.blocks[ 2 ] += suppleTimes( m[ 2 ].xyz, q );
		blend.blocks[ 3 ] += suppleTimes( m[ 3 ].xyz, q );

	}

	void supplePivot( inout vec2 pivot, const in float joint, const in float weight ) {

		if ( weight > pivot.y || ( weight == pivot.y && joint < pivot.x ) ) pivot = vec2( joint, weight );

	}

	// vec( a r* ) / |r|^2
	vec4 suppleDivide( const in vec4 a, const in vec4 r, const in float squared, const in float w ) {

		return vec4( ( a.xyz * r.w - r.xyz * a.w - cross( a.xyz, r.xyz ) ) / squared, w );

	}

	// The affine map of this vertex.
	mat4 suppleMap() {

		ivec4 layout_ = ivec4( texelFetch( boneTexture, textureSize( boneTexture, 0 ) - 1, 0 ) );
		if ( ( layout_.w & 1 ) != 0 ) return mat4( 1.0 );
		int further = layout_.y + gl_VertexID * layout_.z;

		vec4 weight = layout_.z > 0 ? skinWeight * suppleTexel( further ).x : skinWeight;

		vec2 pivot = vec2( skinIndex.x, weight.x );
		supplePivot( pivot, skinIndex.y, weight.y );
		supplePivot( pivot, skinIndex.z, weight.z );
		supplePivot( pivot, skinIndex.w, weight.w );
		for ( int i = 1; i < layout_.z; i ++ ) {

			vec4 two = suppleTexel( further + i );
			supplePivot( pivot, two.x, two.y );
			supplePivot( pivot, two.z, two.w );

		}

		vec4 q = suppleTexel( layout_.x + int( pivot.x ) );
		SuppleBlend blend = SuppleBlend( mat4( 0.0 ), mat4( 0.0 ), vec4( 0.0 ) );
		suppleAdd( blend, q, layout_.x, skinIndex.x, weight.x );
		suppleAdd( blend, q, layout_.x, skinIndex.y, weight.y );
		suppleAdd( blend, q, layout_.x, skinIndex.z, weight.z );
		suppleAdd( blend, q, layout_.x, skinIndex.w, weight.w );
		for ( int i = 1; i < layout_.z; i ++ ) {

			vec4 two = suppleTexel( further + i );
			if ( two.y != 0.0 ) suppleAdd( blend, q, layout_.x, two.x, two.y );
			if ( two.w != 0.0 ) suppleAdd( blend, q, layout_.x, two.z, two.w );

		}

		float squared = dot( blend.turn, blend.turn );
		if ( ! ( squared >= 1e-12 ) || ( layout_.w & 4 ) != 0 ) return blend.linear;
		mat4 turned = mat4(
			suppleDivide( blend.blocks[ 0 ], blend.turn, squared, 0.0 ), suppleDivide( blend.blocks[ 1 ], blend.turn, squared, 0.0 ),
			suppleDivide( blend.blocks[ 2 ], blend.turn, squared, 0.0 ), suppleDivide( blend.blocks[ 3 ], blend.turn, squared, 1.0 ) );
		// Read only where the geometry has it: an absent attribute may hold what another program left there.
		return ( layout_.w & 2 ) != 0 ? turned + ( blend.linear - turned ) * ${LINEAR_SHARE} : turned;

	}

	// By the cofactors and the determinant's sign; where these vanish, by the map itself.
	vec3 suppleTurnNormal( const in mat3 m, const in vec3 n ) {

		vec3 yz = cross( m[ 1 ], m[ 2 ] );
		vec3 byCofactor = yz * n.x + cross( m[ 2 ], m[ 0 ] ) * n.y + cross( m[ 0 ], m[ 1 ] ) * n.z;
		if ( dot( m[ 0 ], yz ) < 0.0 ) byCofactor = - byCofactor;
		float size = dot( m[ 0 ], m[ 0 ] ) + dot( m[ 1 ], m[ 1 ] ) + dot( m[ 2 ], m[ 2 ] );
		return dot( byCofactor, byCofactor ) > 1e-12 * size * size * dot( n, n ) ? normalize( byCofactor ) : m * n;

	}

#endif
`;

// boneMatX … boneMatW are there for shaders that use them: by dual quaternions each is the map of the vertex.
const base = /* glsl */ `
#ifdef USE_SKINNING

	bool suppleTurns = suppleHasTurns();
	mat4 suppleSkin = mat4( 1.0 );
	mat4 boneMatX, boneMatY, boneMatZ, boneMatW;
	if ( suppleTurns ) {

		suppleSkin = suppleMap();
		boneMatX = suppleSkin;
		boneMatY = suppleSkin;
		boneMatZ = suppleSkin;
		boneMatW = suppleSkin;

	} else {

		boneMatX = getBoneMatrix( skinIndex.x );
		boneMatY = getBoneMatrix( skinIndex.y );
		boneMatZ = getBoneMatrix( skinIndex.z );
		boneMatW = getBoneMatrix( skinIndex.w );

	}

#endif
`;

const normal = /* glsl */ `
#ifdef USE_SKINNING

	vec3 suppleNormal = objectNormal;

	#ifdef USE_TANGENT

		vec3 suppleTangent = objectTangent;

	#endif

#endif
${plainNormal}
#ifdef USE_SKINNING

	if ( suppleTurns ) {

		mat3 suppleFrame = mat3( bindMatrixInverse * suppleSkin * bindMatrix );
		objectNormal = suppleTurnNormal( suppleFrame, suppleNormal );

		#ifdef USE_TANGENT

			objectTangent = suppleFrame * suppleTangent;

		#endif

	}

#endif
`;

const vertex = /* glsl */ `
#ifdef USE_SKINNING

	vec4 suppleRest = vec4( transformed, 1.0 );

#endif
${plainVertex}
#ifdef USE_SKINNING

	if ( suppleTurns ) transformed = ( bindMatrixInverse * ( suppleSkin * ( bindMatrix * suppleRest ) ) ).xyz;

#endif
`;

ShaderChunk.skinning_pars_vertex = pars;
ShaderChunk.skinbase_vertex = base;
ShaderChunk.skinnormal_vertex = normal;
ShaderChunk.skinning_vertex = vertex;
patchSkinnedMesh();

// A program made before this module was there must not serve after it.
const plainKey = Material.prototype.customProgramCacheKey;
Material.prototype.customProgramCacheKey = function (this: Material): string {
  return `${plainKey.call(this)}|supple`;
};

/**
 * Lets a skinned mesh (or all skinned meshes in an object) follow its joints by dual quaternions. Materials are not
 * touched; meshes that share a skeleton or a material may differ.
 */
export function supple(object: Object3D, options: SuppleOptions = {}): SuppleHandle {
  const handle = handleOf(object, options);
  for (const { material } of handle.meshes)
    for (const one of Array.isArray(material) ? material : [material]) one.needsUpdate = true;
  return handle;
}
